import type { GarbaEvent } from '@garba/shared/contracts/event'
import { EVENT_STATE } from '@garba/shared/messages/eventState'
import { StateChip } from '../../kit/Badge.tsx'

/** Says that an event does not take place as announced. */
export const EventMark = ({ event: { state = 'on' } }: { event: Pick<GarbaEvent, 'state'> }) =>
  state === 'on' ? null : (
    <StateChip state={state === 'calledOff' ? 'bad' : 'warn'}>{EVENT_STATE.names[state]}</StateChip>
  )
