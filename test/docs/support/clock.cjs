/** Stops the clock of a process at `FIXED_NOW`, in milliseconds: `node --require clock.cjs`. */
const now = Number(process.env.FIXED_NOW);

globalThis.Date = class extends Date {
  constructor(...args) {
    super(...(args.length === 0 ? [now] : args));
  }

  static now() {
    return now;
  }
};
