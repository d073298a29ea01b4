// Proves that a webhook message comes from your Sightline (https://www.standardwebhooks.com).

const TOLERANCE = 300; // seconds that the clocks of sender and receiver may differ

/** A message is not signed with the secret, or is too old. */
export class WebhookIsInvalid extends Error {}

/** The message of a request's body, as it came, and its headers. Throws WebhookIsInvalid. */
export async function verify(body, headers, secret) {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const given = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
  const id = given["webhook-id"];
  const stamp = given["webhook-timestamp"];
  const signatures = given["webhook-signature"];
  if (!id || !stamp || !signatures) throw new WebhookIsInvalid("A header of the webhook is missing.");
  if (!(Math.abs(Date.now() / 1000 - Number(stamp)) <= TOLERANCE)) {
    throw new WebhookIsInvalid("The message is too old, or from the future.");
  }
  const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const secretBytes = bytes(secret.replace(/^whsec_/, ""));
  const key = await crypto.subtle.importKey(
    "raw", secretBytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"],
  );
  const signed = new TextEncoder().encode(`${id}.${stamp}.${body}`);
  for (const each of signatures.split(" ")) {
    const [version, signature] = each.split(",");
    if (version !== "v1") continue;
    try {
      // WebCrypto compares in constant time.
      if (await crypto.subtle.verify("HMAC", key, bytes(signature), signed)) return JSON.parse(body);
    } catch {
      // Not Base64: another signature may fit.
    }
  }
  throw new WebhookIsInvalid("No signature fits the message and the secret.");
}
