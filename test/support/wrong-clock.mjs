/**
 * Loaded before a program (`--import`): its clock is wrong by CLOCK_SHIFT_MS, and by as much to the other side after each
 * SIGUSR2.
 */
let shift = Number(process.env.CLOCK_SHIFT_MS);
const System = Date;
globalThis.Date = class extends System {
  constructor(...parts) {
    if (parts.length === 0) super(System.now() + shift);
    else super(...parts);
  }
  static now() {
    return System.now() + shift;
  }
};
process.on('SIGUSR2', () => {
  shift = -shift;
});
