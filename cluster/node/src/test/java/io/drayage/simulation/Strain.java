package io.drayage.simulation;

/** Makes a seed unlike others, from its begin to its end. Most seeds have none. */
enum Strain {
  /** Many senders of fragments share two places for shipments, while data is stored slowly. */
  WIDE_STAGE,
  /** Names of workers are as long as they may be, and a commit has many fragments. */
  LONGEST_NAMES,
  /** A new primary learns late of the transactions that are open, and others send their ids. */
  SLOW_ADOPTION,
  /** Each deletion takes seconds, and a transaction leaves much to be deleted. */
  SLOW_DELETIONS,
  /** A node reads a full snapshot for minutes, and its mark cannot be renewed. */
  SLOW_READER
}
