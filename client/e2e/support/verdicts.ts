export interface SeenVerdict {
  look: string
  /** Who decided: server or device. */
  by: string
  words: string
}

declare global {
  interface Window {
    /** Verdicts as they were drawn: each is on the screen for two seconds only, less than a busy machine may take to look. */
    garbaVerdicts: SeenVerdict[]
  }
}

/** Runs in the page before its own code and must be whole in itself. */
export function recordVerdicts(): void {
  window.garbaVerdicts = []
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (!(node instanceof HTMLElement) || node.dataset.look === undefined) continue
        const words = Array.from(node.querySelectorAll('p'), (line) => line.textContent?.trim() ?? '').join(' | ')
        window.garbaVerdicts.push({ look: node.dataset.look, by: node.dataset.by ?? '', words })
      }
    }
  }).observe(document, { childList: true, subtree: true })
}
