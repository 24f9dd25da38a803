export interface Timeline {
  /** Plans something for a moment (milliseconds since 1970). What it needs from before may come from an earlier act. */
  add: (at: number, act: () => unknown) => void
  /** Lives through it all in the order of time. */
  run: () => Promise<void>
}

/** Acts in the order of their moments, those of one moment as they were added; `setClock` goes before each. */
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
