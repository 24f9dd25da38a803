import { viewTexts } from '../core/viewTexts.ts'
import * as english from './en/sell.ts'

export const { SELL_HERE } = viewTexts(english)
