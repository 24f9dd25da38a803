import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { Banner } from '../kit/Banner.tsx'
import { GuestDialog } from './GuestDialog.tsx'
import styles from './StepDialog.module.css'
import { useWords } from './words.ts'

interface StepDialogProps
  extends Pick<
    ComponentProps<typeof GuestDialog>,
    'open' | 'onClose' | 'onClosed' | 'busy' | 'description' | 'footer' | 'finalFocus'
  > {
  at: 1 | 2
  title: string
  /** The field to begin with. On a touch screen the title gets the focus, so that no keyboard covers the dialog. */
  field: RefObject<HTMLElement | null>
  children: ReactNode
}

/** A dialog with two steps that people type into: a press outside does not close it. */
export const StepDialog = ({ at, title, field, children, ...dialog }: StepDialogProps) => {
  const words = useWords()
  const group = useRef<HTMLFieldSetElement>(null)
  const shown = useRef(at)
  // The button that led to another step is gone, and a held Enter must not press the next button.
  useEffect(() => {
    if (shown.current !== at) group.current?.focus()
    shown.current = at
  }, [at])
  return (
    <GuestDialog
      {...dialog}
      title={title}
      dismissOutside={false}
      initialFocus={isTouch() ? 'title' : field}
      step={{ at, of: 2, label: words.step(at, 2) }}
    >
      <fieldset key={at} ref={group} className={styles.step} aria-label={title} tabIndex={-1}>
        {children}
      </fieldset>
    </GuestDialog>
  )
}

const isTouch = () => matchMedia('(hover: none) and (pointer: coarse)').matches

/** Why an attempt failed; `unsure`: the change may still have been made, and `why` says what went wrong. */
export type Trouble = { type: 'unsure'; why: string; text: string } | { type: 'refused'; text: string }

interface TroubleBannerProps {
  trouble: Trouble | null
  refused: string
}

export const TroubleBanner = ({ trouble, refused }: TroubleBannerProps) => {
  if (trouble === null) return null
  const isUnsure = trouble.type === 'unsure'
  return (
    <Banner tone={isUnsure ? 'warn' : 'bad'} live="alert" title={isUnsure ? trouble.why : refused}>
      <p>{trouble.text}</p>
    </Banner>
  )
}
