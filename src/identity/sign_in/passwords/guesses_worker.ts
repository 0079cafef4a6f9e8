import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import type { GuessRequest, GuessReply } from './guesses.ts'

const measure = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

parentPort!.on('message', ({ id, text, own }: GuessRequest) => {
  const { guessesLog10, sequence } = measure.check(text, [...own])
  const kinds = sequence.map((match) =>
    match.pattern === 'dictionary' && match.dictionaryName === 'userInputs' ? 'own' : match.pattern,
  )
  const reply: GuessReply = { id, log10: guessesLog10, kinds }
  parentPort!.postMessage(reply, [])
})
