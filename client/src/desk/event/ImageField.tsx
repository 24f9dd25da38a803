import { EVENT_MANAGER } from '@garba/shared/messages/desk'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { imageProblem } from '@garba/shared/rules/eventForm'
import { ImagePlus, Trash2 } from 'lucide-react'
import { type ChangeEvent, useId, useRef, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { cx } from '../../kit/cx.ts'
import { ImageWithFallback } from '../../kit/ImageWithFallback.tsx'
import { ProgressBar } from '../../kit/ProgressBar.tsx'
import { fitsDraft } from './draft.ts'
import styles from './ImageField.module.css'
import { scaleImage } from './scaleImage.ts'
import { useFilesAnywhere } from './useFilesAnywhere.ts'

const words = EVENT_MANAGER.image

interface ImageFieldProps {
  value: string
  error: string | undefined
  onChange: (value: string) => void
  onProblem: (message: string) => void
}

/** The event's picture by click, drop or paste, checked and scaled before it goes anywhere (SPEC 5). */
export const ImageField = ({ value, error, onChange, onProblem }: ImageFieldProps) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const [over, setOver] = useState(false)

  const latest = useRef<File | null>(null)
  const take = async (file: File | undefined) => {
    if (!file) return
    const problem = imageProblem(file)
    if (problem) return onProblem(problem)
    latest.current = file
    try {
      const image = await scaleImage(file, setProgress)
      // Of two pictures chosen one after the other the second stays, whichever was ready first.
      if (latest.current === file) onChange(image)
    } catch (failed) {
      console.info('The image was not prepared', failed)
      toast.error(FAILURE_TOASTS.processImage)
    } finally {
      setProgress(null)
    }
  }
  const onPick = (event: ChangeEvent<HTMLInputElement>) => {
    void take(event.target.files?.[0])
    event.target.value = ''
  }
  useFilesAnywhere({ onOver: setOver, onFile: take })

  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {EVENT_MANAGER.fields.eventImage}
      </label>
      <div className={cx(styles.zone, over && styles.over)}>
        {value === '' ? (
          <ImagePlus aria-hidden="true" className={styles.icon} />
        ) : (
          <ImageWithFallback src={value} alt={words.alt} className={styles.picture} />
        )}
        <p className={styles.hint} id={`${id}-hint`}>
          {words.drop}. {words.types}.
        </p>
        {fitsDraft(value) ? null : (
          <p className={styles.hint} role="status">
            {words.notInDraft}
          </p>
        )}
        {progress === null ? null : <ProgressBar label={words.working} value={progress} />}
        <input
          ref={input}
          id={id}
          type="file"
          accept="image/jpeg,image/png,image/gif,image/webp"
          className={styles.input}
          aria-describedby={error ? `${id}-error` : `${id}-hint`}
          aria-invalid={error ? true : undefined}
          onChange={onPick}
        />
        <div className={styles.actions}>
          <Button size="sm" tabIndex={-1} aria-hidden="true" onClick={() => input.current?.click()}>
            {value === '' ? words.pick : words.replace}
          </Button>
          {value === '' ? null : (
            <Button size="sm" tone="ghost" icon={<Trash2 aria-hidden="true" />} onClick={() => onChange('')}>
              {words.remove}
            </Button>
          )}
        </div>
      </div>
      {error ? (
        <p className={styles.error} id={`${id}-error`} role="alert">
          {error}
        </p>
      ) : null}
    </div>
  )
}
