package io.drayage.receive;

import static io.drayage.internal.Texts.format;

import io.drayage.files.FileRights;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.FrameStore;
import io.drayage.segment.Manifest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The frames of one cargo in a file, in the order in which they were decoded: a cargo file, once
 * the seal is there.
 *
 * <p>The thread that decoded a frame writes it: a counter gives each frame its place, so that codec
 * threads need no lock and no copy. The thread that crosses a border of {@value #FORCE_BYTES} bytes
 * waits for the disk, so that a slow one slows the worker down by its credits, and neither dirty
 * pages nor the wait at the seal grow with the cargo.
 */
final class StagingFile implements FrameStore {
  /** How much may be written between two waits for the disk. */
  static final long FORCE_BYTES = 256L << 20;

  /** What a serializer may add to a segment, whatever its size. */
  private static final long SEGMENT_OVERHEAD_BYTES = 4 << 10;

  /** The part of a file that may fail. */
  interface Output extends Closeable {
    /** Writes all of {@code bytes}. Thread-safe. */
    void write(ByteBuffer bytes, long at) throws IOException;

    /** Waits until everything written is on the disk. */
    void force() throws IOException;
  }

  /** Makes new files, and forces folders. */
  @FunctionalInterface
  interface Opener {
    Output open(Path file) throws IOException;

    /** Makes the names in a folder survive a crash. */
    default void forceFolder(Path folder) throws IOException {
      FileRights.force(folder);
    }
  }

  /** Makes real ones. */
  static Opener channels(FileRights rights) {
    return file ->
        new ChannelOutput(
            rights.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)));
  }

  private record ChannelOutput(FileChannel channel) implements Output {
    @Override
    public void write(ByteBuffer bytes, long at) throws IOException {
      long next = at;
      while (bytes.hasRemaining()) {
        next += channel.write(bytes, next);
      }
    }

    @Override
    public void force() throws IOException {
      channel.force(false);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  private final Opener opener;
  private final Output output;
  private final Path unfinished;
  private final Path finished;
  private final long maxBytes;
  private final AtomicLong endBytes = new AtomicLong();

  StagingFile(Opener opener, Path unfinished, Path finished, long maxBytes) throws IOException {
    this.opener = opener;
    this.output = opener.open(unfinished);
    this.unfinished = unfinished;
    this.finished = finished;
    this.maxBytes = maxBytes;
  }

  /** No serializer doubles values; a peer that sends more than this fills our disk. */
  static long maxBytes(Manifest manifest) {
    return 2 * manifest.rawBytes()
        + SEGMENT_OVERHEAD_BYTES * manifest.segments().size()
        + 2 * FrameHeader.MAX_PAYLOAD_BYTES;
  }

  @Override
  public void append(ByteBuffer frame) throws ShipmentException {
    int bytes = frame.remaining();
    long at = endBytes.getAndAdd(bytes);
    if (at + bytes > maxBytes) {
      throw new ShipmentException(
          Fault.LIMIT,
          format("the frames exceed the %,d bytes that the manifest justifies", maxBytes));
    }
    try {
      output.write(frame.duplicate(), at);
      if (at / FORCE_BYTES != (at + bytes) / FORCE_BYTES) {
        output.force();
      }
    } catch (IOException e) {
      throw refused(at + bytes, e);
    }
  }

  @Override
  public Optional<Path> finish(ByteBuffer seal) throws ShipmentException {
    append(seal);
    try {
      output.force();
      output.close();
      Files.move(unfinished, finished, StandardCopyOption.ATOMIC_MOVE);
      // So that the name survives a crash as well.
      opener.forceFolder(finished.resolveSibling(""));
      return Optional.of(finished);
    } catch (IOException e) {
      throw refused(endBytes.get(), e);
    }
  }

  @Override
  public void abort() {
    try {
      output.close();
    } catch (IOException e) {
      // It goes anyway.
    }
    deleteQuietly(unfinished);
    deleteQuietly(finished);
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // Deleted when the stage is opened again.
    }
  }

  private static ShipmentException refused(long bytes, IOException cause) {
    return new ShipmentException(
        Fault.REFUSED,
        format("the cargo cannot be staged: %s (after %,d bytes)", reason(cause), bytes),
        cause);
  }

  /** Without the path, which is no business of a peer's. */
  static String reason(IOException cause) {
    String reason = cause instanceof FileSystemException e ? e.getReason() : cause.getMessage();
    return reason == null ? cause.getClass().getSimpleName() : reason;
  }
}
