import { setTorch, setZoom } from './abilities.ts'
import { keepChoice } from './choice.ts'
import type { DecoderOwner } from './decoderOwner.ts'
import { faultOf } from './faults.ts'
import type { CameraEvent, Effect, Model } from './model.ts'
import { wantsStream } from './opening.ts'
import type { Picture } from './picture.ts'
import type { StreamKeeper } from './stream.ts'
import type { Timers } from './timers.ts'

export interface Hands {
  keeper: StreamKeeper
  picture: Picture
  decoders: DecoderOwner
  timers: Timers
  model: () => Model
  dispatch: (event: CameraEvent) => void
}

type Doing = { [E in Effect as E['type']]: (effect: E) => unknown }

/** How each effect of a step is carried out; its result is dispatched as an event. */
export function createEffects(hands: Hands): Doing {
  const { keeper, picture, timers, dispatch } = hands
  return {
    list: ({ attempt }) => list(hands, attempt),
    open: (effect) => open(hands, effect),
    close() {
      picture.clear()
      keeper.close()
    },
    park() {
      picture.clear()
      keeper.setEnabled(false)
    },
    unpark() {
      keeper.setEnabled(true)
      play(hands)
    },
    play: () => play(hands),
    setTimer: ({ timer, ms }) => timers.set(timer, ms),
    clearTimer: ({ timer }) => timers.clear(timer),
    remember: ({ choice }) => keepChoice(choice),
    controls: (wanted) =>
      applyControls(hands, wanted).catch((error: unknown) => {
        console.warn('Camera control refused', error)
        dispatch({ type: 'notice', notice: 'controlFailed' })
      }),
  }
}

async function list({ keeper, dispatch }: Hands, attempt: number) {
  try {
    dispatch({ type: 'listed', attempt, cameras: await keeper.list() })
  } catch (error) {
    dispatch({ type: 'refused', attempt, fault: faultOf(error) })
  }
}

async function open({ keeper, model, dispatch }: Hands, { attempt, ask }: Extract<Effect, { type: 'open' }>) {
  try {
    const opened = await keeper.open(ask, () => wantsStream(model(), attempt))
    if (opened) dispatch({ type: 'opened', attempt, ...opened })
  } catch (error) {
    dispatch({ type: 'refused', attempt, fault: faultOf(error) })
  }
}

/** Does nothing until there are both stream and decoder; whichever comes last plays again. */
export function play({ keeper, picture, decoders, model, dispatch }: Hands) {
  const [stream, decoder] = [keeper.stream(), decoders.current()]
  if (!stream || !decoder) return
  const { attempt } = model()
  picture.show({
    stream,
    decoder,
    onPicture: () => !model().hasPicture && dispatch({ type: 'picture', attempt }),
    onStill: (error) => {
      console.warn('The picture is not playing', error)
      dispatch({ type: 'notice', notice: 'pauseFailed' })
    },
  })
}

async function applyControls({ keeper, model }: Hands, { torch, zoom }: { torch: boolean; zoom: number | null }) {
  const track = keeper.track()
  const abilities = model().camera?.abilities
  if (!track || !abilities) return
  // Some cameras accept one set of advanced constraints at a time, so zoom goes first and the torch last.
  if (abilities.zoom && zoom !== null) await setZoom(track, zoom)
  if (abilities.torch) await setTorch(track, torch)
}
