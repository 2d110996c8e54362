package io.drayage.objectstore;

import io.drayage.files.FileRights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the names in the folders of a store survive a crash. A folder that could not be forced is
 * forced again before anything is read, so that no reader relies on a name that may vanish.
 *
 * <p>A folder is deleted with its last file. The exceptions are the few folders directly below the
 * root, which are always in use. Any process may delete a folder, at any time. A process that
 * creates a file makes a missing folder again, and forces its name if it may be new. Thread-safe.
 */
final class DurableFolders {
  private final Path root;
  private final UploadFile.Opener opener;
  private final FileRights rights;

  /** Folders whose names are known to survive a crash. Names are removed with the monitor. */
  private final Set<Path> durable = ConcurrentHashMap.newKeySet();

  /** Folders with names that may not survive a crash, each with a key of the failure. */
  private final Map<Path, Object> unforced = new ConcurrentHashMap<>();

  DurableFolders(Path root, UploadFile.Opener opener, FileRights rights) {
    this.root = root;
    this.opener = opener;
    this.rights = rights;
  }

  /**
   * Creates a folder and those above it, unless they exist. An existing folder may have been
   * created a moment ago, so its name is forced once in any case.
   *
   * @throws NoSuchFileException also if a folder above was deleted meanwhile
   */
  void make(Path folder) throws IOException {
    if (!Files.isDirectory(folder) || !durable.contains(folder)) {
      makeDurable(folder);
    }
  }

  private synchronized void makeDurable(Path folder) throws IOException {
    boolean exists = Files.isDirectory(folder);
    if (!exists) {
      durable.remove(folder); // Another process has deleted it.
    } else if (durable.contains(folder)) {
      return;
    }
    Path parent = folder.getParent();
    if (parent != null) {
      if (!exists) {
        make(parent);
        rights.makeFolders(folder);
      }
      // An existing folder that this process may only traverse does not belong to this store.
      if (!exists || Files.isReadable(parent)) {
        opener.forceFolder(parent);
      }
    }
    durable.add(folder);
  }

  /** Forces the names in a folder, into which a file was put after {@link #make}. */
  void force(Path folder) throws IOException {
    try {
      forceNames(folder);
    } catch (IOException | RuntimeException | Error e) {
      unforced.put(folder, new Object());
      throw e;
    }
  }

  private void forceNames(Path folder) throws IOException {
    try {
      opener.forceFolder(folder);
      if (!durable.contains(folder)) {
        makeDurable(folder); // Deleted since, and made again before the file.
      }
    } catch (NoSuchFileException e) {
      if (!canEnd(folder)) {
        throw e;
      }
      // The names in the folder are gone, too.
    }
  }

  /** Fails as long as there are names that may not survive a crash. */
  void requireForced() throws IOException {
    for (Map.Entry<Path, Object> each : Map.copyOf(unforced).entrySet()) {
      forceNames(each.getKey());
      // Keeps the entry if forcing has failed again, for a later name.
      unforced.remove(each.getKey(), each.getValue());
    }
  }

  private boolean canEnd(Path folder) {
    return folder.getNameCount() > root.getNameCount() + 1;
  }

  /** Deletes a folder if it is empty, and then the empty ones above it. */
  void endIfEmpty(Path folder) {
    Path each = folder;
    while (canEnd(each) && end(each)) {
      each = each.getParent();
    }
  }

  /**
   * Deletes a folder if it is empty. Holds the monitor, so that the folder is not made again before
   * it is removed from {@code durable}.
   */
  private synchronized boolean end(Path folder) {
    try {
      boolean unused = Files.deleteIfExists(folder);
    } catch (IOException e) {
      return false; // It is not empty, or may not be deleted.
    }
    durable.remove(folder);
    return true;
  }
}
