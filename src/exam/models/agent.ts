/** Tool as an MCP client offers it to its model. */
export type OfferedTool = { name: string; description: string; inputSchema: object }

export type ToolUse = { id: string; name: string; args: Readonly<Record<string, unknown>> }

export type ToolResult = { id: string; name: string; text: string; isError: boolean }

/** Next input of a model: the person's words, or the results of its calls. */
export type ModelInput = { person: string } | { results: readonly ToolResult[] }

/** Answer of a model: text, calls, or both. Without calls, the model has finished. */
export type Turn = { text: string; calls: readonly ToolUse[]; usage: Usage }

export type Usage = { inputTokens: number; outputTokens: number }

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 }

export type Dialog = { runTurn(message: ModelInput): Promise<Turn> }

/** Start of a conversation. `signal` aborts when the exam is stopped. */
export type ConversationOptions = { instructions: string; tools: readonly OfferedTool[]; signal: AbortSignal }

/** Model or scripted agent that takes the exam. */
export type ExamAgent<ExamSubject> = {
  name: string
  /** Starts a conversation. Only scripted agents use the subject. */
  begin(options: ConversationOptions & { subject: ExamSubject }): Dialog
}
