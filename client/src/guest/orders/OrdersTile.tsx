import { ReceiptText } from 'lucide-react'
import { Link } from 'react-router'
import { ORDERS_PATH } from '../paths.ts'
import { useOrderWords } from './words.ts'

/** The way to the orders, among the tiles of the guest's home. */
export const OrdersTile = ({ className }: { className: string }) => (
  <Link to={ORDERS_PATH} className={className}>
    <ReceiptText aria-hidden="true" />
    <strong>{useOrderWords().list.title}</strong>
  </Link>
)
