import { ChevronRight, ReceiptText, Store } from 'lucide-react'
import { Link } from 'react-router'
import { Banner } from '../../kit/Banner.tsx'
import { ORDERS_PATH } from '../paths.ts'
import { useOrderWords } from './words.ts'

export const OrdersLink = ({ className }: { className: string | undefined }) => (
  <Link to={ORDERS_PATH} className={className}>
    <ReceiptText />
    <span>{useOrderWords().list.title}</span>
    <ChevronRight />
  </Link>
)

export const CounterNote = () => (
  <Banner icon={<Store />}>
    <p>{useOrderWords().counter}</p>
  </Banner>
)
