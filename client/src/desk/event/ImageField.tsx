import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { imageProblem } from '@garba/shared/rules/event/eventForm'
import { ImagePlus, Trash2 } from 'lucide-react'
import { type ChangeEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { cx } from '../../kit/cx.ts'
import { ImageWithFallback } from '../../kit/ImageWithFallback.tsx'
import { ProgressBar } from '../../kit/ProgressBar.tsx'
import { EVENT_MANAGER } from '../texts/desk.ts'
import { fitsDraft } from './draft.ts'
import styles from './ImageField.module.css'

const words = EVENT_MANAGER.image

interface ImageFieldProps {
  value: string
  error: string | undefined
  onChange: (value: string) => void
  onProblem: (message: string) => void
  onPreparing: (is: boolean) => void
}

export const ImageField = ({ value, error, onChange, onProblem, onPreparing }: ImageFieldProps) => {
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
    onPreparing(true)
    try {
      const image = await scaleImage(file, setProgress)
      // Of two pictures chosen in a row the second stays, whichever is ready first.
      if (latest.current === file) onChange(image)
    } catch (failed) {
      console.info('The image was not prepared', failed)
      toast.error(FAILURE_TOASTS.processImage)
    } finally {
      setProgress(null)
      if (latest.current === file) onPreparing(false)
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
          <ImagePlus className={styles.icon} />
        ) : (
          <ImageWithFallback src={value} alt={words.alt} className={styles.picture} />
        )}
        <p className="soft" id={`${id}-hint`}>
          {words.drop}. {words.types}.
        </p>
        {fitsDraft(value) ? null : (
          <p className="soft" role="status">
            {words.notInDraft}
          </p>
        )}
        {progress === null ? null : <ProgressBar label={words.working} value={progress} />}
        <input
          ref={input}
          id={id}
          type="file"
          accept="image/jpeg,image/png,image/gif,image/webp"
          className="spoken"
          aria-describedby={error ? `${id}-error` : `${id}-hint`}
          aria-invalid={error ? true : undefined}
          onChange={onPick}
        />
        <div className={styles.actions}>
          <Button size="sm" tabIndex={-1} aria-hidden="true" onClick={() => input.current?.click()}>
            {value === '' ? words.pick : words.replace}
          </Button>
          {value === '' ? null : (
            <Button size="sm" tone="ghost" icon={<Trash2 />} onClick={() => onChange('')}>
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

const LONGEST_SIDE = 1_600
const WEBP_QUALITY = 0.85

/**
 * A picture file as a data URL: WebP of at most 1600 px, made on the device. A GIF within that size stays as it is, because
 * it may be animated. `onProgress` receives 0 to 100. Throws when the browser cannot draw the file.
 */
async function scaleImage(file: Blob, onProgress: (percent: number) => void): Promise<string> {
  onProgress(10)
  const picture = await createImageBitmap(file)
  onProgress(40)
  try {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height))
    if (file.type === 'image/gif' && scale === 1) return await toDataUrl(file)
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(picture.width * scale)
    canvas.height = Math.round(picture.height * scale)
    const pen = canvas.getContext('2d')
    if (!pen) throw new Error('The browser cannot draw')
    pen.imageSmoothingQuality = 'high'
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height)
    onProgress(70)
    return await toDataUrl(await written(canvas))
  } finally {
    picture.close()
    onProgress(100)
  }
}

async function written(canvas: HTMLCanvasElement): Promise<Blob> {
  const as = (type: string) => new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, WEBP_QUALITY))
  const webp = await as('image/webp')
  // A browser that cannot write WebP returns PNG instead, which is many times as large.
  const blob = webp?.type === 'image/webp' ? webp : await as('image/jpeg')
  if (!blob) throw new Error('The browser cannot write the image')
  return blob
}

function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('The file is not readable'))
    reader.readAsDataURL(blob)
  })
}

interface Handlers {
  onOver: (over: boolean) => void
  onFile: (file: File | undefined) => void
}

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Takes files dropped or pasted anywhere on the page while the caller is shown. Otherwise the browser would open a file that was
 * dropped beside the field and leave the form. Pasted text still goes to the fields.
 */
function useFilesAnywhere({ onOver, onFile }: Handlers): void {
  const over = useEffectEvent(onOver)
  const take = useEffectEvent(onFile)
  useEffect(() => {
    const end = new AbortController()
    const { signal } = end
    const onDragOver = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      over(true)
    }
    const onDragLeave = (event: DragEvent) => {
      // The pointer left the window, and did not just move from one element to the next.
      if (event.relatedTarget === null) over(false)
    }
    const onDrop = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      over(false)
      take(event.dataTransfer?.files[0])
    }
    const onPaste = (event: ClipboardEvent) => {
      const file = event.clipboardData?.files[0]
      if (!file) return
      event.preventDefault()
      take(file)
    }
    document.addEventListener('dragover', onDragOver, { signal })
    document.addEventListener('dragleave', onDragLeave, { signal })
    document.addEventListener('drop', onDrop, { signal })
    document.addEventListener('paste', onPaste, { signal })
    return () => end.abort()
  }, [])
}
