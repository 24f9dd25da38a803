export interface Timeline {
  /** Schedules an act (milliseconds since 1970). It may use the results of earlier acts. */
  add: (at: number, act: () => unknown) => void
  /** Runs all acts in order of time. */
  run: () => Promise<void>
}

/** Runs acts by time, and acts of the same time as they were added. Calls `setClock` before each. */
export function makeTimeline(setClock: (at: number) => void): Timeline {
  const acts: { at: number; act: () => unknown }[] = []
  return {
    add: (at, act) => acts.push({ at, act }),
    run: async () => {
      acts.sort((a, b) => a.at - b.at)
      for (const { at, act } of acts) {
        setClock(at)
        await act()
      }
    },
  }
}
