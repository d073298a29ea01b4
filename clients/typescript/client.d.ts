import type { Operation } from "./generated/types.js";
import type { Resources } from "./generated/resources.js";

export type * from "./generated/types.js";

/** The version of the server that this client was made with. */
export const VERSION: string;

export interface Options {
  /** Sends a write under this key, so that it happens once across restarts; else each call has its own. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** All items of a list, read page by page as the loop comes to them. */
export interface Pages<Item, Page> extends AsyncIterable<Item> {
  /** Each page as the API answers it. */
  pages(): AsyncIterable<Page>;
  /** The first page alone: the total is in its `pagination`. */
  first(): Promise<Page>;
  /** All items in one array. */
  all(): Promise<Item[]>;
}

export interface Waiting {
  /** The operation when it has ended, whatever came of it. Throws OperationIsRunning after `timeout` ms. */
  wait(publicOperationId: string, options?: { timeout?: number; signal?: AbortSignal }): Promise<Operation>;
}

/** The server refused a request; `code` names the error for programs. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly details: Record<string, unknown>;
  readonly requestId?: string;
}

/** No server answered, however often it was tried. */
export class NoAnswer extends Error {}

/** An operation did not end in the time given; it goes on. */
export class OperationIsRunning extends Error {
  readonly operation: Operation;
}

export interface Settings {
  /** Address of the server; else SIGHTLINE_URL. */
  url?: string;
  /** API key; else SIGHTLINE_API_KEY. */
  apiKey?: string;
  /** How often a request that meets a busy or absent server is sent again; 4 by default. */
  retries?: number;
  fetch?: typeof globalThis.fetch;
  sleep?: (milliseconds: number) => Promise<void>;
}

export interface Sightline extends Resources {}
export class Sightline {
  constructor(settings?: Settings);
}
