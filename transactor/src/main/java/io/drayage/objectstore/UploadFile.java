package io.drayage.objectstore;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The part of a file that may fail: a full disk, say, which is hard to come by in a test. */
interface UploadFile extends Closeable {
  /** Appends all of {@code bytes}. */
  void write(ByteBuffer bytes) throws IOException;

  /** Waits until everything written is on the disk. May be called beside {@link #write}. */
  void force() throws IOException;

  /** Makes new files. */
  @FunctionalInterface
  interface Opener {
    UploadFile open(Path file) throws IOException;
  }

  /** Makes real ones. */
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
