/** What the tests ask of a page in any engine. The tab builds everything else from it. */
export interface Driver {
  /** Resolves once the page has loaded. */
  goto(url: string): Promise<void>
  reload(): Promise<void>
  /** The text that an expression in the page resolves to. Rejects with what it throws. */
  evaluate(expression: string): Promise<string>
  /** Real input, as the W3C's WebDriver describes it: BiDi and classic take the same. */
  perform(sources: readonly InputSource[]): Promise<void>
  /** PNG bytes of what is in the window. */
  screenshot(): Promise<Buffer>
  /** The size of the page in CSS pixels. */
  resize(size: Size): Promise<void>
  close(): Promise<void>
}

export interface Size {
  width: number
  height: number
}

export type InputSource =
  | {
      type: 'pointer'
      id: string
      parameters: { pointerType: 'mouse' }
      actions: readonly (
        | { type: 'pointerMove'; x: number; y: number; duration: number }
        | { type: 'pointerDown' | 'pointerUp'; button: number }
      )[]
    }
  | { type: 'key'; id: string; actions: readonly { type: 'keyDown' | 'keyUp'; value: string }[] }
