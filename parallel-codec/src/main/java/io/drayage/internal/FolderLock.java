package io.drayage.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The right of one process to use a folder: a lock on the file {@value #FILE} in it. The lock ends
 * when it is closed, or when the process ends in any way. On a file system without locks, every
 * process gets the lock. Thread-safe.
 */
public final class FolderLock implements AutoCloseable {
  /** The name of the file, which stays when the lock is closed. */
  static final String FILE = ".lock";

  /**
   * The folders that this process has locked. The files in them are not opened again, because
   * closing any descriptor of a file ends all locks of the process on the file.
   */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path folder;

  /** Null on a file system without locks. */
  private final @Nullable FileChannel channel;

  private FolderLock(Path folder, @Nullable FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  /**
   * Locks a folder.
   *
   * @param folder must exist
   * @return null if another process, or this one, has locked the folder
   * @throws IOException if the folder's file cannot be made, or its disk is full
   */
  public static @Nullable FolderLock tryLock(Path folder) throws IOException {
    FolderLock lock = tryLock(folder, StandardOpenOption.CREATE);
    if (lock != null && lock.channel != null) {
      try (Begun begun = new Begun(lock::close)) {
        if (lock.channel.size() == 0) { // Otherwise it may be a file of somebody else.
          lock.channel.write(ByteBuffer.allocate(1), 0);
        }
        begun.keep();
      } catch (IOException e) {
        FileSystemException named =
            new FileSystemException(folder.toString(), null, e.getMessage());
        named.initCause(e);
        throw named;
      }
    }
    return lock;
  }

  /**
   * Locks a folder whose last user is gone.
   *
   * @return null if the folder is locked, or never was
   * @throws IOException if its file cannot be opened
   */
  static @Nullable FolderLock tryLockLeft(Path folder) throws IOException {
    try {
      FolderLock lock = tryLock(folder, StandardOpenOption.WRITE);
      if (lock != null && lock.channel == null) {
        lock.close(); // It may be in use.
        return null;
      }
      return lock;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static @Nullable FolderLock tryLock(Path named, StandardOpenOption making)
      throws IOException {
    Path folder = named.toRealPath();
    if (!OWN.add(folder)) {
      return null;
    }
    try (Begun begun = new Begun(() -> OWN.remove(folder))) {
      FileChannel channel =
          FileChannel.open(
              folder.resolve(FILE), StandardOpenOption.WRITE, making, LinkOption.NOFOLLOW_LINKS);
      FolderLock lock = lock(folder, channel);
      return lock == null ? null : begun.keep(lock);
    }
  }

  private static @Nullable FolderLock lock(Path folder, FileChannel channel) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (IOException e) { // This file system has no locks.
      channel.close();
      return new FolderLock(folder, null);
    }
    if (lock == null) {
      channel.close();
      return null;
    }
    return new FolderLock(folder, channel);
  }

  /** Whether the file was deleted by a process that had locked it before. */
  boolean isGone() {
    return channel != null && Files.notExists(folder.resolve(FILE), LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
    OWN.remove(folder);
  }
}
