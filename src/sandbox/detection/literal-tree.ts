/**
 * Texts as a tree of their code units. It is walked at every place of every text that is judged, so
 * it lies in flat arrays: a hash table of its edges.
 */
export class LiteralTree {
  #from = new Int32Array(1024);
  #unit = new Uint16Array(1024);
  #to = new Int32Array(1024);
  /** By node, the number of the text that ends there plus 1; 0 when none does. */
  readonly #ends: number[] = [0];
  #edges = 0;

  /** The number of a text: `number` when it is new. */
  add(text: string, number: number): number {
    let node = 0;
    for (let at = 0; at < text.length; at++) node = this.#grow(node, text.charCodeAt(at));
    this.#ends[node] ||= number + 1;
    return (this.#ends[node] ?? 0) - 1;
  }

  /** Adds the numbers of the texts that begin at a place to `found`. */
  find(text: string, start: number, found: number[]): void {
    let node = 0;
    for (let at = start; at < text.length; at++) {
      node = this.#to[this.#slot(node, text.charCodeAt(at))] ?? 0;
      if (node === 0) return;
      const end = this.#ends[node] ?? 0;
      if (end !== 0) found.push(end - 1);
    }
  }

  /** The node behind an edge, which is made when it is not there. */
  #grow(node: number, unit: number): number {
    let slot = this.#slot(node, unit);
    if (this.#to[slot] === 0) {
      if (2 * ++this.#edges > this.#to.length) {
        this.#double();
        slot = this.#slot(node, unit);
      }
      this.#from[slot] = node;
      this.#unit[slot] = unit;
      this.#to[slot] = this.#ends.push(0) - 1;
    }
    return this.#to[slot] ?? 0;
  }

  /** Where an edge is in the table, or where there is room for it. */
  #slot(node: number, unit: number): number {
    const last = this.#to.length - 1;
    let slot = Math.imul(Math.imul(node, 0x9e3779b1) ^ unit, 0x85ebca6b) >>> 7;
    for (slot &= last; this.#to[slot] !== 0; slot = (slot + 1) & last) {
      if (this.#from[slot] === node && this.#unit[slot] === unit) break;
    }
    return slot;
  }

  #double(): void {
    const [from, unit, to] = [this.#from, this.#unit, this.#to];
    this.#from = new Int32Array(2 * to.length);
    this.#unit = new Uint16Array(2 * to.length);
    this.#to = new Int32Array(2 * to.length);
    for (const [old, target] of to.entries()) {
      if (target === 0) continue;
      const slot = this.#slot(from[old] ?? 0, unit[old] ?? 0);
      this.#from[slot] = from[old] ?? 0;
      this.#unit[slot] = unit[old] ?? 0;
      this.#to[slot] = target;
    }
  }
}
