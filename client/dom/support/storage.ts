/** localStorage and sessionStorage that outlive a page: jsdom's own end with their window. */
export function makeStorage(): Storage {
  const items = new Map<string, string>()
  const own = {
    getItem: (key: string) => items.get(String(key)) ?? null,
    setItem: (key: string, value: string) => void items.set(String(key), String(value)),
    removeItem: (key: string) => void items.delete(String(key)),
    clear: () => items.clear(),
    key: (index: number) => [...items.keys()][index] ?? null,
    get length() {
      return items.size
    },
  }
  return new Proxy(own as Storage, {
    ownKeys: () => [...items.keys()],
    getOwnPropertyDescriptor: (_target, key) => {
      const value = items.get(String(key))
      return value === undefined ? undefined : { value, enumerable: true, configurable: true, writable: true }
    },
    defineProperty: () => false,
  })
}
