type Holder = (event: PopStateEvent) => void

let holder: Holder | null = null

/** Registered before the router's listener, because Chromium calls a window's listeners in order, captured or not. */
export const watchBack = (): void => window.addEventListener('popstate', (event) => holder?.(event))

/** Lets a page see Back before the router does; null ends it. */
export const holdBack = (by: Holder | null): void => {
  holder = by
}
