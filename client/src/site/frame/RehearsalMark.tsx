import { REHEARSAL } from '@garba/shared/messages/common'
import { EdgeMark } from '../../kit/EdgeMark.tsx'

export default function RehearsalMark() {
  return <EdgeMark text={REHEARSAL.mark} note={REHEARSAL.note} />
}
