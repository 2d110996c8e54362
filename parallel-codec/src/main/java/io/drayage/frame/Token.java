package io.drayage.frame;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * The secret of one shipment: who knows it may add connections to the shipment and resume it. Two
 * 64-bit numbers on the wire. Never shown in messages.
 */
public record Token(long high, long low) {
  /** The token of a shipment that cannot be joined. */
  public static final Token NONE = new Token(0, 0);

  static final int BYTES = 16;

  /** A token that nobody can guess. */
  public static Token random(SecureRandom random) {
    return new Token(random.nextLong(), random.nextLong());
  }

  /** Whether both are the same, in constant time. */
  public boolean matches(Token other) {
    return ((high ^ other.high) | (low ^ other.low)) == 0;
  }

  void write(ByteBuffer payload) {
    payload.putLong(high).putLong(low);
  }

  static Token read(ByteBuffer payload) {
    return new Token(payload.getLong(), payload.getLong());
  }

  /** Keeps the secret out of logs and messages. */
  @Override
  public String toString() {
    return "Token[secret]";
  }
}
