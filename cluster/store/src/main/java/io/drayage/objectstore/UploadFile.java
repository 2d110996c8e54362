package io.drayage.objectstore;

import io.drayage.files.FileRights;
import io.drayage.internal.DirectWrites;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that several threads write, at any offset. An interface, so that tests can simulate
 * failures such as a full disk.
 */
interface UploadFile extends Closeable {
  /** The unit of addresses, lengths and offsets of direct writes. */
  int ALIGNMENT = 4 << 10;

  /** Writes all of {@code bytes} into the page cache. */
  void write(ByteBuffer bytes, long offset) throws IOException;

  /**
   * Writes all of {@code bytes} past the page cache.
   *
   * @param bytes aligned; the offset is aligned, too
   * @return false, without an effect, if the file system cannot write past the page cache
   */
  boolean writeDirect(ByteBuffer bytes, long offset) throws IOException;

  /** Waits until everything written is on disk. */
  void force() throws IOException;

  /** Opens files, names them, and forces folders. */
  interface Opener {
    /** Opens a file. Creates it if it does not exist. */
    UploadFile open(Path file) throws IOException;

    /** Gives a file a further name, unless that exists. */
    default void link(Path name, Path file) throws IOException {
      Path unused = Files.createLink(name, file);
    }

    /** Makes the names in a folder survive a crash, if the system can open a folder. */
    default void forceFolder(Path folder) throws IOException {
      FileRights.force(folder);
    }
  }

  /** Opens real files, which only their owner can access. */
  Opener CHANNELS = channels(FileRights.PRIVATE);

  /** Opens real files. */
  static Opener channels(FileRights rights) {
    return path -> new ChannelFile(path, rights);
  }

  /** A real file. */
  final class ChannelFile implements UploadFile {
    private final Path path;
    private final FileChannel cached;

    /** Guarded by this; {@code closed} likewise. */
    private @Nullable FileChannel direct;

    private boolean closed;

    ChannelFile(Path path, FileRights rights) throws IOException {
      this.path = path;
      this.cached = rights.open(path, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
      writeAll(cached, bytes, offset);
    }

    @Override
    public boolean writeDirect(ByteBuffer bytes, long offset) throws IOException {
      FileChannel channel = direct();
      if (channel == null) {
        return false;
      }
      writeAll(channel, bytes, offset);
      return true;
    }

    private static void writeAll(FileChannel channel, ByteBuffer bytes, long offset)
        throws IOException {
      long at = offset;
      while (bytes.hasRemaining()) {
        at += channel.write(bytes, at);
      }
    }

    private synchronized @Nullable FileChannel direct() throws IOException {
      if (closed) {
        throw new ClosedChannelException();
      }
      FileChannel opened = direct;
      if (opened == null) {
        opened = openDirect(path);
        direct = opened;
      }
      return opened;
    }

    private static @Nullable FileChannel openDirect(Path path) {
      try {
        if (ALIGNMENT % Files.getFileStore(path).getBlockSize() != 0) {
          return null;
        }
        return FileChannel.open(path, StandardOpenOption.WRITE, DirectWrites.option());
      } catch (IOException | UnsupportedOperationException e) {
        return null; // tmpfs, for example
      }
    }

    @Override
    public void force() throws IOException {
      cached.force(false);
    }

    @Override
    public synchronized void close() throws IOException {
      closed = true;
      try (cached) {
        if (direct != null) {
          direct.close();
        }
      }
    }
  }
}
