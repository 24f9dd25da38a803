/** After this long without a code or a touch (ms) the scanner rests. */
const REST_AFTER_MS = 120_000
/** From one reading of a resting scanner to the next (ms). */
export const READING_MS = 400

/** Whether the scanner rests, to spare battery and heat while nobody comes. `onRest` is called when that changes. */
export function createRest(onRest: (isResting: boolean) => void) {
  let quietSince = performance.now()
  let isResting = false
  const set = (on: boolean) => {
    if (isResting === on) return
    isResting = on
    onRest(on)
  }
  return {
    isResting: () => isResting,
    wake() {
      quietSince = performance.now()
      set(false)
    },
    /** Call at each frame: begins the rest when its time has come. */
    look: () => set(performance.now() - quietSince >= REST_AFTER_MS),
  }
}
