package io.drayage.frame;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The transaction of which a cargo is a fragment. Such a cargo has no effect of its own: it is
 * stored, and committed together with the other fragments of its transaction.
 *
 * @param transaction its id
 * @param token the secret of the coordinator that began it
 */
public record FragmentOf(UUID transaction, Token token) {
  static final int BYTES = 2 * Long.BYTES + Token.BYTES;

  void write(ByteBuffer payload) {
    payload
        .putLong(transaction.getMostSignificantBits())
        .putLong(transaction.getLeastSignificantBits());
    token.write(payload);
  }

  static FragmentOf read(ByteBuffer payload) {
    return new FragmentOf(new UUID(payload.getLong(), payload.getLong()), Token.read(payload));
  }
}
