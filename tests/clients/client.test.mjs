// The TypeScript client against the server of SIGHTLINE_URL; accounts Harbor 00 to Harbor 06 are there.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ApiError, NoAnswer, OperationIsRunning, Sightline } from "sightline-client";
import { verify, WebhookIsInvalid } from "sightline-client/webhooks";

const client = new Sightline();

/** A client whose server answers each of these in turn; what was asked, and how long it slept. */
function faulty(...answers) {
  const seen = [];
  const slept = [];
  const fake = new Sightline({
    url: "http://sightline.test",
    apiKey: "key",
    sleep: async (milliseconds) => slept.push(milliseconds),
    fetch: async (address, request) => {
      seen.push({ address, ...request });
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { fake, seen, slept };
}

const refused = (status, headers = {}) =>
  new Response(JSON.stringify({ error: { type: "x", code: "x", message: "No.", details: {} } }), {
    status,
    headers,
  });

test("a list is read page by page", async () => {
  const found = client.accounts.search({ per_page: 3 });
  const names = (await found.all()).map((account) => account.company_name);
  assert.deepEqual(names, [0, 1, 2, 3, 4, 5, 6].map((number) => `Harbor 0${number}`));
  const sizes = [];
  for await (const page of found.pages()) sizes.push(page.items.length);
  assert.deepEqual(sizes, [3, 3, 1]);
  assert.equal((await found.first()).pagination.total, 7);
});

test("lists are made, changed, listed and deleted", async () => {
  const made = await client.lists.create({ name: "Harbors" });
  assert.deepEqual((await client.lists.list({ per_page: 1 }).all()).map((each) => each.id), [made.id]);
  assert.equal((await client.lists.update(made.id, { name: "Ports" })).name, "Ports");
  assert.equal((await client.lists.delete(made.id)).deleted, true);
});

test("a write under one key happens once", async () => {
  const options = { idempotencyKey: crypto.randomUUID() };
  const first = await client.lists.create({ name: "Docks" }, options);
  assert.deepEqual(await client.lists.create({ name: "Docks" }, options), first);
});

test("an export is a stream", async () => {
  const lines = (await new Response(await client.accounts.export({ format: "jsonl" })).text()).trim();
  assert.equal(lines.split("\n").length, 7);
});

test("a refusal names code, status and request", async () => {
  const error = await client.companies.read(crypto.randomUUID()).catch((each) => each);
  assert.ok(error instanceof ApiError);
  assert.deepEqual([error.status, error.code], [404, "company_not_found"]);
  assert.ok(error.requestId);
});

test("an operation is priced, submitted and waited for", async () => {
  assert.equal((await client.companies.submitDryRun({ company_name: "Harbor" })).amount, 1);
  const accepted = await client.companies.submit({ company_name: "Harbor" });
  await assert.rejects(
    client.operations.wait(accepted.public_operation_id, { timeout: 0 }),
    OperationIsRunning,
  );
});

test("it waits as long as the server asks for", async () => {
  const { fake, slept } = faulty(
    refused(429, { "retry-after": "7" }),
    refused(503, { "retry-after": "999999" }),
    Response.json({ status: "ok" }),
  );
  assert.equal((await fake.health.read()).status, "ok");
  assert.deepEqual(slept, [7000, 60000]);
});

test("a write is sent again under the same key", async () => {
  const { fake, seen } = faulty(new TypeError("fetch failed"), refused(500), Response.json({ id: "x" }));
  await fake.lists.create({ name: "Harbors" });
  assert.equal(seen.length, 3);
  assert.equal(new Set(seen.map((each) => each.headers["idempotency-key"])).size, 1);
});

test("what would be refused again is sent once", async () => {
  for (const status of [400, 401, 403, 404, 409, 422]) {
    const { fake, seen } = faulty(refused(status));
    await assert.rejects(fake.lists.create({ name: "Harbors" }), ApiError);
    assert.equal(seen.length, 1);
  }
});

test("a server that is gone is said to be gone", async () => {
  const { fake, seen, slept } = faulty(...Array.from({ length: 5 }, () => new TypeError("fetch failed")));
  await assert.rejects(fake.health.read(), NoAnswer);
  assert.equal(seen.length, 5);
  slept.forEach((each, attempt) => assert.ok(each >= 250 * 2 ** attempt && each <= 500 * 2 ** attempt));
});

test("webhooks are verified", async () => {
  const { body, secret, headers } = JSON.parse(process.env.SIGNED);
  assert.equal((await verify(body, headers, secret)).type, "alert");
  const old = { ...headers, "webhook-timestamp": "1700000000" };
  for (const [text, given] of [[`${body} `, headers], [body, old], [body, {}]]) {
    await assert.rejects(verify(text, given, secret), WebhookIsInvalid);
  }
});
