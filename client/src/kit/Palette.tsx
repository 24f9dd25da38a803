import { Autocomplete } from '@base-ui/react/autocomplete'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { cx } from './cx.ts'
import dialog from './Dialog.module.css'
import row from './listItem.module.css'
import styles from './Palette.module.css'
import { useSurface } from './Surface.tsx'

export interface PaletteItem {
  id: string
  label: string
  note?: string
  icon?: ReactNode
  onChoose: () => void
}

export interface PaletteGroup {
  label: string
  items: readonly PaletteItem[]
}

interface PaletteProps {
  open: boolean
  onClose: () => void
  label: string
  placeholder: string
  closeLabel: string
  value: string
  onValueChange: (value: string) => void
  groups: readonly PaletteGroup[]
  status: string
  fieldAttributes?: Readonly<Record<string, string>> | undefined
  /** Gets the focus after a choice; otherwise it returns to where it was. */
  afterChoice: () => HTMLElement | null
}

export const Palette = ({ open, onClose, groups, status, afterChoice, ...props }: PaletteProps) => {
  const surface = useSurface()
  const chosen = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (!open) return
    chosen.current = false
    // A view chosen earlier takes the focus as soon as it is loaded, so the field takes it back.
    const takeBack = ({ target }: FocusEvent) => {
      if (target === afterChoice()) field.current?.focus()
    }
    document.addEventListener('focusin', takeBack)
    return () => document.removeEventListener('focusin', takeBack)
  }, [open, afterChoice])
  const focusAfterwards = () => {
    if (!chosen.current) return true
    // Base UI would move the focus on to the first link inside.
    queueMicrotask(() => afterChoice()?.focus({ preventScroll: true }))
    return false
  }
  const choose = ({ onChoose }: PaletteItem) => {
    chosen.current = true
    onClose()
    onChoose()
  }
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.backdrop} {...surface} />
        <Dialog.Viewport className={styles.viewport}>
          <Dialog.Popup className={styles.popup} {...surface} aria-label={props.label} finalFocus={focusAfterwards}>
            <CSPProvider disableStyleElements>
              <Autocomplete.Root
                open
                inline
                mode="none"
                items={groups}
                value={props.value}
                onValueChange={(value, { reason }) => {
                  // Without this check a choice would write its label into the field.
                  if (reason !== 'item-press') props.onValueChange(value)
                }}
                itemToStringValue={({ label }: PaletteItem) => label}
                autoHighlight="always"
                keepHighlight
              >
                <div className={styles.field}>
                  <Search />
                  <Autocomplete.Input
                    ref={field}
                    {...props.fieldAttributes}
                    className={styles.input}
                    aria-label={props.label}
                    placeholder={props.placeholder}
                  />
                </div>
                <Autocomplete.List className={styles.list}>
                  {(group: PaletteGroup) => (
                    <Autocomplete.Group key={group.label} items={group.items}>
                      <Autocomplete.GroupLabel className={styles.label}>{group.label}</Autocomplete.GroupLabel>
                      <Autocomplete.Collection>
                        {(item: PaletteItem) => (
                          <Autocomplete.Item
                            key={item.id}
                            value={item}
                            className={cx(row.item, styles.item)}
                            onClick={() => choose(item)}
                          >
                            {item.icon}
                            <span className={styles.name}>{item.label}</span>
                            {item.note === undefined ? null : <span className={styles.note}>{item.note}</span>}
                          </Autocomplete.Item>
                        )}
                      </Autocomplete.Collection>
                    </Autocomplete.Group>
                  )}
                </Autocomplete.List>
              </Autocomplete.Root>
            </CSPProvider>
            <p role="status" className={styles.status}>
              {status}
            </p>
            <Dialog.Close className="spoken">{props.closeLabel}</Dialog.Close>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
