package io.drayage.objectstore;

import io.drayage.files.FileRights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the names in the folders of a store survive a crash. A folder that could not be forced is
 * forced again before anything is read, so that nobody relies on a name that may vanish.
 * Thread-safe.
 */
final class DurableFolders {
  private final UploadFile.Opener opener;
  private final FileRights rights;

  /** Folders whose names are known to survive a crash. */
  private final Set<Path> durable = ConcurrentHashMap.newKeySet();

  /** Folders with names that may not survive a crash, each with a value for the failure. */
  private final Map<Path, Object> unforced = new ConcurrentHashMap<>();

  DurableFolders(UploadFile.Opener opener, FileRights rights) {
    this.opener = opener;
    this.rights = rights;
  }

  /**
   * Creates a folder and those above it, unless they exist. One that exists may have been created a
   * moment ago, so its name is forced once in any case.
   */
  void make(Path folder) throws IOException {
    boolean exists = Files.isDirectory(folder);
    if (exists && durable.contains(folder)) {
      return;
    }
    Path parent = folder.getParent();
    if (parent != null) {
      if (!exists) {
        make(parent);
        rights.makeFolders(folder);
      }
      // An existing folder that this process may only pass through is not of this store.
      if (!exists || Files.isReadable(parent)) {
        opener.forceFolder(parent);
      }
    }
    durable.add(folder);
  }

  /** Forces the names in a folder. */
  void force(Path folder) throws IOException {
    try {
      opener.forceFolder(folder);
    } catch (IOException | RuntimeException | Error e) {
      unforced.put(folder, new Object());
      throw e;
    }
  }

  /** Fails as long as there are names that may not survive a crash. */
  void requireForced() throws IOException {
    for (Map.Entry<Path, Object> each : Map.copyOf(unforced).entrySet()) {
      opener.forceFolder(each.getKey());
      // Unless it failed again for a name that came later.
      unforced.remove(each.getKey(), each.getValue());
    }
  }
}
