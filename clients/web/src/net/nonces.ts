/**
 * The browser's own part of every shuffle: a commitment with `ready`, the nonce when all have committed.
 *
 * Nonces are kept in the browser's storage, so that a page that is loaded again in between, or a second tab, still has
 * the one that was committed to.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { View } from "../protocol/types";

export interface Shelf {
  get(key: string): string | null;
  put(key: string, value: string): void;
  drop(key: string): void;
}

export class Nonces {
  private readonly told = new Set<string>();

  constructor(
    private readonly shelf: Shelf,
    private readonly random: (bytes: number) => Uint8Array,
  ) {}

  /** A commitment to a nonce. Until that was told, the commitment for a table stays the same. */
  commit(table: string): string {
    let nonce = this.known(table);
    if (nonce === null || this.told.has(nonce)) {
      nonce = bytesToHex(this.random(32));
      this.shelf.put(key(table), nonce);
    }
    return commitment(nonce);
  }

  /** The nonce, when the table asks for it and it was not told before over this connection. */
  reveal(view: View): string | null {
    if (view.status !== "revealing" || view.you === null) return null;
    const nonce = this.known(view.table);
    if (nonce === null || this.told.has(nonce)) return null;
    if (view.seats[view.you]?.commitment !== commitment(nonce)) return null;
    this.told.add(nonce);
    return nonce;
  }

  forget(table: string): void {
    this.shelf.drop(key(table));
  }

  private known(table: string): string | null {
    const nonce = this.shelf.get(key(table));
    return nonce !== null && /^[0-9a-f]{64}$/.test(nonce) ? nonce : null;
  }
}

/** SHA-256 in plain JavaScript: the browser's own is missing on pages that come over plain HTTP, as in a home network. */
export function commitment(nonce: string): string {
  return bytesToHex(sha256(hexToBytes(nonce)));
}

function key(table: string): string {
  return `nonce.${table}`;
}
