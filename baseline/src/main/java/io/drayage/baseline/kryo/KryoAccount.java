package io.drayage.baseline.kryo;

import static io.drayage.internal.Texts.format;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.charset.StandardCharsets;

/**
 * Reads the lengths of one stream and charges the arrays and strings before they are allocated.
 * Refusals are Kryo's exceptions with a {@link ShipmentException} as their cause. One per stream.
 */
final class KryoAccount {
  /** The longest array: Kryo counts its bytes in an int. */
  static final int MAX_LENGTH = MemoryAccount.MAX_ARRAY_LENGTH - 1;

  /** The longest string that Kryo writes in the ASCII form. */
  private static final int MAX_ASCII_CHARS = 32;

  private final MemoryAccount account;
  private final byte[] ascii = new byte[MAX_ASCII_CHARS];

  /**
   * @param account is charged with all arrays and strings of the stream
   */
  KryoAccount(MemoryAccount account) {
    this.account = account;
  }

  /** Reads and charges the length of an array that is about to be allocated. */
  int readLength(Input input, int elementBytes) {
    int length = input.readVarInt(true) - 1;
    if (length == -1) {
      throw refusal("a null where an array belongs");
    }
    charge(length, elementBytes);
    return length;
  }

  /** Charges bytes that are about to be read into an array, and returns their number. */
  int charged(int bytes) {
    if (bytes < 0) {
      throw refusal(format("texts of %,d bytes", bytes));
    }
    try {
      account.charge(bytes);
    } catch (ShipmentException e) {
      throw new KryoException(e);
    }
    return bytes;
  }

  private void charge(int length, int elementBytes) {
    try {
      account.charge(length, elementBytes);
    } catch (ShipmentException e) {
      throw new KryoException(e);
    }
    if (length > MAX_LENGTH) {
      throw refusal(format("an array of %,d elements; the limit is %,d", length, MAX_LENGTH));
    }
  }

  /** Reads a string of any UTF-16 code units. Charges at least one byte a character. */
  String readString(Input input) {
    if (!input.readVarIntFlag()) {
      return readAscii(input);
    }
    // Reads the whole length into the buffer, so that it can be read twice.
    boolean unused = input.canReadVarInt();
    int lengthAt = input.position();
    int length = input.readVarIntFlag(true) - 1;
    if (length == -1) {
      throw refusal("a null where a string belongs");
    }
    charge(length, 1);
    input.setPosition(lengthAt);
    return input.readString();
  }

  private String readAscii(Input input) {
    for (int i = 0; i < MAX_ASCII_CHARS; i++) {
      byte b = input.readByte();
      ascii[i] = (byte) (b & 0x7F);
      if (b < 0) {
        return new String(ascii, 0, i + 1, StandardCharsets.US_ASCII);
      }
    }
    throw refusal("a short string without an end");
  }

  /** Makes the exception for a stream that holds {@code what}. */
  static KryoException refusal(String what) {
    return new KryoException(new ShipmentException(Fault.DECODE, "the stream holds " + what));
  }
}
