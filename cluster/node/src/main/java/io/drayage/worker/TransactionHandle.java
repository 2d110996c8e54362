package io.drayage.worker;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.FragmentOf;
import io.drayage.frame.Token;
import io.drayage.frame.TraceContext;
import io.drayage.frame.TransactionAnswer;
import java.io.Serial;
import java.io.Serializable;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The data that a worker needs to send fragments of a transaction. Small, and serializable, for
 * other processes. Its holder may add fragments to the transaction, and end it: pass it over
 * channels that nobody else reads.
 *
 * @param transaction its id
 * @param tokenHigh one half of its secret, and {@code tokenLow} the other
 * @param database the id of the database
 * @param base the snapshot on which all cargoes are made
 * @param baseChecksum of the entry of the log that made it; 0 if unknown
 * @param trace of the transaction, the parent of the fragments' traces; null if nobody records it
 */
public record TransactionHandle(
    UUID transaction,
    long tokenHigh,
    long tokenLow,
    UUID database,
    long base,
    int baseChecksum,
    @Nullable TraceContext trace)
    implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  /** Creates a handle without a trace. */
  public TransactionHandle(
      UUID transaction, long tokenHigh, long tokenLow, UUID database, long base, int baseChecksum) {
    this(transaction, tokenHigh, tokenLow, database, base, baseChecksum, null);
  }

  static TransactionHandle of(
      Token token, TransactionAnswer.Opened opened, @Nullable TraceContext trace) {
    return new TransactionHandle(
        token.transaction(),
        token.high(),
        token.low(),
        opened.database(),
        opened.base(),
        opened.baseChecksum(),
        trace);
  }

  Token token() {
    return new Token(tokenHigh, tokenLow);
  }

  FragmentOf fragment() {
    return new FragmentOf(transaction, token());
  }

  /** Keeps the secret out of logs and messages. */
  @Override
  public String toString() {
    return format("TransactionHandle[%s on snapshot %d]", transaction, base);
  }
}
