export class WebhookIsInvalid extends Error {}

/** The message of a request's body, as it came, and its headers. Throws WebhookIsInvalid. */
export function verify(
  body: string,
  headers: Headers | Record<string, string>,
  secret: string,
): Promise<{ type: string; timestamp: string; data: Record<string, unknown> }>;
