package io.drayage.objectstore;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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

  /**
   * Writes over the files of a folder as long as there are some, and creates files then. What is
   * left of the old content behind the new is cut off when the file is closed.
   */
  static Opener over(Path spares) {
    return file -> {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(spares)) {
        for (Path spare : files) {
          if (isMoved(spare, file)) {
            return new SpareFile(new ChannelFile(FileChannel.open(file, StandardOpenOption.WRITE)));
          }
        }
      }
      return CHANNELS.open(file);
    };
  }

  /** Somebody else may take it. */
  private static boolean isMoved(Path spare, Path file) throws IOException {
    try {
      Files.move(spare, file, StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** A real file that had another content. */
  record SpareFile(ChannelFile file) implements UploadFile {
    @Override
    public void write(ByteBuffer bytes) throws IOException {
      file.write(bytes);
    }

    @Override
    public void force() throws IOException {
      file.force();
    }

    @Override
    public void close() throws IOException {
      file.channel.truncate(file.channel.position());
      file.close();
    }
  }

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
