import type { Ticket } from '@garba/shared/contracts/ticket'
import { MessageCircle, Share2 } from 'lucide-react'
import { toast } from 'sonner'
import { AnchorButton, Button } from '../../kit/Button.tsx'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { canShare, openShareSheet } from '../../platform/share.ts'
import { whatsAppLink } from '../event/shareEvent.ts'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import styles from './Keepsake.module.css'

interface KeepsakeProps {
  tickets: readonly Ticket[]
  over: boolean
}

export const Keepsake = ({ tickets, over }: KeepsakeProps) => {
  const { keepsake, event, bought } = useWords()
  const format = useFormat()
  const ticket = tickets.find(({ status, light }) => status === 'used' && light !== undefined)
  if (!ticket?.entryTime || ticket.light === undefined) return null
  const line = keepsake.line(format.clock(ticket.entryTime), format.count(ticket.light))
  const text = `${ticket.eventName}: ${line}`
  const share = async () => {
    try {
      await openShareSheet({ title: ticket.eventName, text, url: location.origin })
    } catch (error) {
      console.warn('Not shared', error)
      toast.error(keepsake.notShared)
    }
  }
  return (
    <section className={styles.keepsake} aria-labelledby="keepsake">
      <GarboRings className={styles.rings} faint />
      <h2 id="keepsake" className={styles.line}>
        {line}
      </h2>
      {over ? <p>{keepsake.thanks}</p> : null}
      {canShare() ? (
        <Button size="sm" icon={<Share2 />} onClick={() => void share()}>
          {event.share}
        </Button>
      ) : (
        <AnchorButton
          size="sm"
          href={whatsAppLink(`${text}\n${location.origin}`)}
          target="_blank"
          rel="noopener noreferrer"
          icon={<MessageCircle />}
        >
          {bought.whatsapp}
        </AnchorButton>
      )}
    </section>
  )
}
