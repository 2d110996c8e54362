package io.drayage.codec;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.Names;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Manifest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A cargo on disk, so that it can be inspected, and shipped again: the frames of the segments
 * pipeline one after the other, {@code raw} and uncompressed, with shipment id 0.
 *
 * <p>A file that is cut, damaged or longer than its cargo is refused with a {@link
 * ShipmentException} that names the file and the offset of the frame. A file of another kind is
 * refused with an exception that shows its first bytes.
 */
public final class CargoFile {
  private CargoFile() {}

  /**
   * Writes {@code cargo} to {@code file}, as {@link WholeFile} does.
   *
   * @return the size of the file in bytes
   */
  public static long write(ChangeCargo cargo, Path file) throws IOException {
    return writeOnce(cargo, file).bytes();
  }

  /** Writes {@code cargo} as {@link #write}, and returns its size, seal and manifest. */
  public static CargoFrames.Written writeOnce(ChangeCargo cargo, Path file) throws IOException {
    AtomicReference<CargoFrames.Written> written = new AtomicReference<>();
    WholeFile.write(
        file,
        unfinished ->
            written.set(
                write(
                    cargo,
                    file,
                    FileChannel.open(
                        unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))));
    return Objects.requireNonNull(written.get());
  }

  /**
   * Writes {@code cargo} to {@code out}, and closes it.
   *
   * @throws FileSystemException if it cannot be written, with the name {@code file}
   */
  static CargoFrames.Written write(ChangeCargo cargo, Path file, FileChannel out)
      throws FileSystemException {
    try (out) {
      return frames().write(cargo, out);
    } catch (IOException e) {
      throw WholeFile.named(file, e);
    }
  }

  /**
   * Reads a cargo.
   *
   * @param maxRawBytes the limit of its raw bytes
   */
  public static ChangeCargo read(Path file, long maxRawBytes) throws IOException {
    return open(file, in -> frames().read(in, maxRawBytes));
  }

  /** The manifest of the cargo in {@code file}, after a check of all its checksums. */
  public static Manifest inspect(Path file) throws IOException {
    return open(file, CargoFrames::inspect);
  }

  private static CargoFrames frames() {
    Serializer raw = Serializers.ofName("raw");
    return new CargoFrames(raw.newSegmentSerializer(), raw.id(), Compressors.ofName("none"));
  }

  private interface Reading<T> {
    T apply(InputStream in) throws IOException;
  }

  private static <T> T open(Path file, Reading<T> reading) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) { // Opening a pipe may block for ever.
      throw new FileSystemException(
          file.toString(), null, "is no regular file: write the cargo to a regular file");
    }
    requireCargo(file);
    try (SeekableByteChannel channel = Files.newByteChannel(file);
        InputStream in = Channels.newInputStream(channel)) {
      T result = reading.apply(in);
      long following = channel.size() - channel.position();
      if (following != 0) {
        throw new ShipmentException(
            Fault.BAD_FRAME,
            format(
                "at offset %,d: %,d bytes follow the end of the cargo",
                channel.position(), following));
      }
      return result;
    } catch (ShipmentException e) {
      throw new ShipmentException(e.fault(), file + ": " + e.getMessage(), e);
    }
  }

  /** Refuses a file of another kind, such as Parquet, which is no damaged cargo. */
  private static void requireCargo(Path file) throws IOException {
    byte[] magic =
        ByteBuffer.allocate(Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(FrameHeader.MAGIC)
            .array();
    byte[] begin;
    try (InputStream in = Files.newInputStream(file)) {
      begin = in.readNBytes(magic.length);
    }
    if (begin.length == 0 || !Arrays.equals(begin, Arrays.copyOf(magic, begin.length))) {
      throw new ShipmentException(
          Fault.BAD_FRAME,
          "%s is no cargo file: it %s, a cargo begins with '%s'"
              .formatted(
                  file,
                  begin.length == 0 ? "is empty" : "begins with '%s'".formatted(text(begin)),
                  text(magic)));
    }
  }

  private static String text(byte[] bytes) {
    return Names.printable(new String(bytes, StandardCharsets.ISO_8859_1));
  }
}
