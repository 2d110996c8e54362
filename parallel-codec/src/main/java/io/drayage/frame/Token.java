package io.drayage.frame;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.UUID;

/**
 * The secret of one shipment, with which a client may add connections to the shipment and resume
 * it. Or the secret of a transaction of several workers, with which a client may add to the
 * transaction and end it. Two 64-bit numbers on the wire. Never shown in messages.
 */
public record Token(long high, long low) {
  /** The token of a shipment that cannot be joined. */
  public static final Token NONE = new Token(0, 0);

  static final int BYTES = 16;

  /** The version of the UUIDs of transactions of several workers. */
  private static final long VERSION = 8;

  /** A token that nobody can guess. */
  public static Token random(SecureRandom random) {
    return new Token(random.nextLong(), random.nextLong());
  }

  /** Whether both tokens are the same, compared in constant time. */
  public boolean matches(Token other) {
    return ((high ^ other.high) | (low ^ other.low)) == 0;
  }

  /**
   * The id of the transaction with this secret: the first 16 bytes of the SHA-256 of the token, as
   * a UUID of {@linkplain #isTransaction version 8}. So anybody can check whether a token belongs
   * to a transaction, without knowing the transaction.
   */
  public UUID transaction() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).putLong(high).putLong(low);
    try {
      ByteBuffer hash = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
      return new UUID(
          (hash.getLong() & ~0xF000L) | (VERSION << 12),
          (hash.getLong() & ~(3L << 62)) | (1L << 63));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /**
   * Whether an id has the form that is reserved for transactions of several workers: a UUID of
   * version 8, which RFC 9562 leaves to applications.
   */
  public static boolean isTransaction(UUID id) {
    return id.version() == VERSION && id.variant() == 2;
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
