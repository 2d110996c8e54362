package io.drayage.cli.snapshot;

import io.drayage.cli.options.OptionChecks;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The object store of a command. */
final class StoreOption {
  private static final String FOLDER = "fs:";

  @Option(
      names = "--store",
      paramLabel = "STORE",
      required = true,
      description =
          "fs:FOLDER, or s3:BUCKET[/PREFIX][?endpoint=URL&region=NAME], with the credentials that"
              + " the AWS SDK finds.")
  private String store = "";

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  /**
   * Opens the store. A missing folder is not created, and an unreadable folder is not called
   * missing.
   */
  ObjectStore open() throws IOException {
    if (store.startsWith(FOLDER)) {
      Path folder = Path.of(store.substring(FOLDER.length()));
      if (!Files.readAttributes(folder, BasicFileAttributes.class).isDirectory()) {
        throw new FileSystemException(folder.toString(), null, "not a folder");
      }
    }
    try {
      return ObjectStores.open(store);
    } catch (IllegalArgumentException e) {
      throw usageError(String.valueOf(e.getMessage()));
    }
  }

  ParameterException usageError(String message) {
    return checks().usageError(message);
  }

  OptionChecks checks() {
    return new OptionChecks(spec);
  }
}
