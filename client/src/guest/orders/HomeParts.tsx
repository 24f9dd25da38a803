import { ReceiptText, Store } from 'lucide-react'
import { Link } from 'react-router'
import { Banner } from '../../kit/Banner.tsx'
import { ORDERS_PATH } from '../paths.ts'
import { useOrderWords } from './words.ts'

export const OrdersTile = ({ className }: { className: string }) => (
  <Link to={ORDERS_PATH} className={className}>
    <ReceiptText aria-hidden="true" />
    <strong>{useOrderWords().list.title}</strong>
  </Link>
)

export const CounterNote = () => (
  <Banner icon={<Store aria-hidden="true" />}>
    <p>{useOrderWords().counter}</p>
  </Banner>
)
