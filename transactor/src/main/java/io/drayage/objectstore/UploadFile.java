package io.drayage.objectstore;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that is being written. An interface so that tests can simulate failures such as a full
 * disk.
 */
interface UploadFile extends Closeable {
  /** Appends all of {@code bytes}. */
  void write(ByteBuffer bytes) throws IOException;

  /** Waits until everything written is on disk. May be called concurrently with {@link #write}. */
  void force() throws IOException;

  /** Creates files. */
  @FunctionalInterface
  interface Opener {
    UploadFile open(Path file) throws IOException;
  }

  /** Creates real files. */
  Opener CHANNELS =
      file ->
          new ChannelFile(
              FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));

  /** A real file. */
  record ChannelFile(FileChannel channel) implements UploadFile {
    @Override
    public void write(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
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
}
