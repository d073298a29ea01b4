// A client of the Sightline API. It runs as it is in Node 20+, Deno and browsers, and needs no other package.

import { OPERATIONS, VERSION } from "./generated/operations.js";

export { VERSION };

const BASE = "/public-api/v1";
const AGAIN = new Set([429, 500, 502, 503, 504]);
const FIRST_WAIT = 500; // milliseconds; each further wait is twice as long
const LONGEST_WAIT = 60_000;
const RUNNING = new Set(["queued", "running"]);

/** The server refused a request; `code` names the error for programs. */
export class ApiError extends Error {
  constructor(status, error) {
    const fields = error.details?.fields ?? [];
    const faults = fields.map((each) => `${each.path}: ${each.message}`).join("; ");
    super(`${error.code} (${status}): ${error.message}${faults && ` ${faults}`}`);
    this.name = "ApiError";
    this.status = status;
    this.type = error.type ?? "";
    this.code = error.code ?? "";
    this.details = error.details ?? {};
    this.requestId = this.details.request_id;
  }
}

/** No server answered, however often it was tried. */
export class NoAnswer extends Error {
  constructor(cause) {
    super(`The server does not answer: ${cause}`, { cause });
    this.name = "NoAnswer";
  }
}

/** An operation did not end in the time given; it goes on. */
export class OperationIsRunning extends Error {
  constructor(operation) {
    super(`Operation ${operation.public_operation_id} is ${operation.status}.`);
    this.name = "OperationIsRunning";
    this.operation = operation;
  }
}

/** All items of a list, read page by page as the loop comes to them. */
export class Pages {
  #read;
  #items;

  constructor(read, items) {
    this.#read = read;
    this.#items = items;
  }

  async *[Symbol.asyncIterator]() {
    for await (const page of this.pages()) yield* page[this.#items];
  }

  /** Each page as the API answers it. */
  async *pages() {
    let cursor;
    do {
      const page = await this.#read(cursor);
      yield page;
      const { next_cursor: next, has_next: hasNext } = page.pagination;
      cursor = page[this.#items].length && hasNext !== false ? next : undefined;
    } while (cursor);
  }

  /** The first page alone: the total is in its `pagination`. */
  async first() {
    return this.#read();
  }

  /** All items in one array. */
  async all() {
    const found = [];
    for await (const item of this) found.push(item);
    return found;
  }
}

export class Sightline {
  #url;
  #key;
  #retries;
  #fetch;
  #sleep;

  constructor({ url, apiKey, retries = 4, fetch = globalThis.fetch, sleep = pause } = {}) {
    const environment = globalThis.process?.env ?? {};
    this.#url = (url ?? environment.SIGHTLINE_URL ?? "").replace(/\/+$/, "");
    this.#key = apiKey ?? environment.SIGHTLINE_API_KEY;
    if (!this.#url || !this.#key) {
      throw new Error("Give url and apiKey, or set SIGHTLINE_URL and SIGHTLINE_API_KEY.");
    }
    this.#retries = retries;
    this.#fetch = fetch;
    this.#sleep = sleep;
    for (const [resource, operations] of Object.entries(OPERATIONS)) {
      this[resource] = {};
      for (const [name, operation] of Object.entries(operations)) {
        this[resource][name] = (...given) => this.#call(operation, given);
      }
    }
    this.operations.wait = (id, options) => this.#wait(id, options);
  }

  #call(operation, given) {
    const names = operation.path.match(/(?<=\{)\w+/g) ?? [];
    const left = [...given];
    let path = operation.path;
    for (const name of names) path = path.replace(`{${name}}`, encodeURIComponent(left.shift()));
    const body = operation.hasBody ? left.shift() : undefined;
    const query = { ...(operation.hasQuery ? left.shift() : {}), ...operation.constants };
    const options = left.shift() ?? {};
    if (!operation.items) return this.#send(operation, path, query, body, options);
    const read = (cursor) => {
      if (!cursor) return this.#send(operation, path, query, body, options);
      const { page, offset, ...asked } = (operation.hasBody ? body : query) ?? {};
      const next = { ...asked, cursor };
      return operation.hasBody
        ? this.#send(operation, path, query, next, options)
        : this.#send(operation, path, next, body, options);
    };
    return new Pages(read, operation.items);
  }

  async #send(operation, path, query, body, { idempotencyKey, signal }) {
    const headers = { "x-api-key": this.#key };
    if (operation.isKeyed) headers["idempotency-key"] = idempotencyKey ?? crypto.randomUUID();
    if (body !== undefined) headers["content-type"] = "application/json";
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    const words = new URLSearchParams(given.map(([name, value]) => [name, text(value)]));
    const address = `${this.#url}${BASE}${path}${given.length ? `?${words}` : ""}`;
    const request = { method: operation.method, headers, signal, body: body && JSON.stringify(body) };
    for (let attempt = 0; ; attempt += 1) {
      let answer, failure;
      try {
        answer = await this.#fetch(address, request);
        if (answer.ok) return operation.isStream ? answer.body : await answer.json();
      } catch (error) {
        if (signal?.aborted) throw error;
        failure = error;
      }
      const wait = this.#pauseBefore(attempt, answer);
      if (wait === undefined) throw failure ? new NoAnswer(failure) : await refusal(answer);
      await answer?.body?.cancel();
      await this.#sleep(wait);
    }
  }

  /** Milliseconds before the next try; undefined when there is none. Writes carry an idempotency key. */
  #pauseBefore(attempt, answer) {
    if (attempt >= this.#retries) return undefined;
    const wished = answer?.headers.get("retry-after");
    // A conflict that passes says when to come back; others stay.
    if (answer && !AGAIN.has(answer.status) && (answer.status !== 409 || !wished)) return undefined;
    if (/^\d+$/.test(wished ?? "")) return Math.min(Number(wished) * 1000, LONGEST_WAIT);
    // Spread, so that many clients do not come back at the same moment.
    return Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT) * (0.5 + Math.random() / 2);
  }

  async #wait(id, { timeout = 600_000, signal } = {}) {
    const ends = Date.now() + timeout;
    for (let wait = 1000; ; wait = Math.min(wait * 1.5, 10_000)) {
      const operation = await this.operations.read(id, { signal });
      if (!RUNNING.has(operation.status)) return operation;
      if (Date.now() >= ends) throw new OperationIsRunning(operation);
      await this.#sleep(wait);
    }
  }
}

async function refusal(answer) {
  const given = await answer.text();
  try {
    const { error, ...flat } = JSON.parse(given);
    return new ApiError(answer.status, typeof error === "object" ? error : { code: error, ...flat });
  } catch {
    const message = `The server answered ${answer.status} without an error of the API.`;
    return new ApiError(answer.status, { code: "unknown", message });
  }
}

function text(value) {
  return value instanceof Date ? value.toISOString() : String(value);
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
