import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import type { GuessRequest, GuessReply } from './guesses.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'

const measure = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

const port = requireValue(parentPort, 'The port to the main thread')

port.on('message', ({ id, text, own }: GuessRequest) => {
  const { guessesLog10, sequence } = measure.check(text, [...own])
  const kinds = sequence.map((match) =>
    match.pattern === 'dictionary' && match.dictionaryName === 'userInputs' ? 'own' : match.pattern,
  )
  const reply: GuessReply = { id, log10: guessesLog10, kinds }
  port.postMessage(reply, [])
})
