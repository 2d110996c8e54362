package io.drayage.study.sikdar.form;

import edu.rice.dmodel.Customer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A byte buffer filled by hand: numbers as they are, texts in UTF-8, and a length before every
 * value of variable length.
 *
 * <p>For a customer, the study's code allocates address and comment twice and the phone number not
 * at all, and fills up with zeroes; {@code asCoded} does the same.
 */
final class ByteBufferCodec implements ObjectCodec, FieldWriter, FieldReader {
  private static final int INITIAL_BYTES = 4096;

  /** Bytes that the study's code forgets for a customer: the lengths of two fields. */
  private static final int FORGOTTEN_BYTES = 8;

  private final boolean asCoded;
  private ByteBuffer out = ByteBuffer.allocate(INITIAL_BYTES);
  private ByteBuffer in = ByteBuffer.allocate(0);

  ByteBufferCodec(boolean asCoded) {
    this.asCoded = asCoded;
  }

  @Override
  public String name() {
    return asCoded ? "ByteBuffer as coded" : "ByteBuffer";
  }

  @Override
  public byte[] write(ObjectKind kind, Object object) {
    out.clear();
    kind.write(object, this);
    int padding = asCoded && object instanceof Customer customer ? padding(customer) : 0;
    return Arrays.copyOf(out.array(), out.position() + padding);
  }

  private static int padding(Customer customer) {
    return bytes(customer.address).length
        + bytes(customer.comment).length
        - bytes(customer.phone).length
        - FORGOTTEN_BYTES;
  }

  @Override
  public Object read(ObjectKind kind, byte[] bytes) {
    in = ByteBuffer.wrap(bytes);
    return kind.read(this);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private ByteBuffer room(int bytes) {
    if (out.remaining() < bytes) {
      out.flip();
      out = ByteBuffer.allocate(2 * out.capacity() + bytes).put(out);
    }
    return out;
  }

  @Override
  public void putInt(int value) {
    room(Integer.BYTES).putInt(value);
  }

  @Override
  public void putDouble(double value) {
    room(Double.BYTES).putDouble(value);
  }

  @Override
  public void putString(String value) {
    byte[] bytes = bytes(value);
    room(Integer.BYTES + bytes.length).putInt(bytes.length).put(bytes);
  }

  @Override
  public <T> void putObject(T object, Class<T> type, BiConsumer<T, FieldWriter> fields) {
    putInt(0);
    int start = out.position();
    fields.accept(object, this);
    out.putInt(start - Integer.BYTES, out.position() - start);
  }

  @Override
  public int getInt() {
    return in.getInt();
  }

  @Override
  public double getDouble() {
    return in.getDouble();
  }

  @Override
  public String getString() {
    int length = in.getInt();
    String text = new String(in.array(), in.position(), length, StandardCharsets.UTF_8);
    in.position(in.position() + length);
    return text;
  }

  @Override
  public <T> T getObject(Class<T> type, Function<FieldReader, T> fields) {
    in.getInt();
    return fields.apply(this);
  }
}
