const KEPT = 'garba.wantedPurchase'
let wanted: number | null = null

export function setWantedPurchase(quantity: number | null): void {
  wanted = quantity
}

export function keepPurchase(): void {
  if (wanted !== null) sessionStorage.setItem(KEPT, String(wanted))
}

/** The press that a reload interrupted, once. */
export function takePurchase(): number | null {
  const kept = Number(sessionStorage.getItem(KEPT))
  sessionStorage.removeItem(KEPT)
  return Number.isInteger(kept) && kept > 0 ? kept : null
}
