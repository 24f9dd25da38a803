import * as english from './en/sell.ts'
import { viewTexts } from './views.ts'

export const { SELL_HERE } = viewTexts(english)
