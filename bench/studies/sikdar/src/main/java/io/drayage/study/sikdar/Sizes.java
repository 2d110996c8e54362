package io.drayage.study.sikdar;

import io.drayage.bench.child.StudyFigure;
import io.drayage.study.sikdar.form.Formats;
import io.drayage.study.sikdar.form.ObjectCodec;
import io.drayage.study.sikdar.form.PageFormat;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** Mean bytes of a single object; for formats that need pages, its share of a page. */
final class Sizes {
  private static final String UNIT = "bytes";

  private Sizes() {}

  static void run(List<SikdarWorkload> loads, Deadline deadline, Consumer<StudyFigure> results)
      throws IOException {
    for (SikdarWorkload load : loads) {
      String experiment = "sizes/" + load.kind().title();
      for (ObjectCodec codec : Formats.codecs()) {
        if (!deadline.cuts(experiment + " " + codec.name())) {
          long bytes = 0;
          for (int i = 0; i < load.count(); i++) {
            bytes += codec.write(load.kind(), load.object(i)).length;
          }
          results.accept(measurement(experiment, codec.name(), bytes, load.count()));
        }
      }
      for (PageFormat format : Formats.ofPages()) {
        if (!deadline.cuts(experiment + " " + format.name())) {
          long[] bytes = new long[1];
          PageFile.write(format, load, (page, entries) -> bytes[0] += page.remaining());
          results.accept(measurement(experiment, format.name(), bytes[0], load.count()));
        }
      }
    }
  }

  private static StudyFigure measurement(
      String experiment, String system, long bytes, int objects) {
    return new StudyFigure(experiment, system, UNIT, (double) bytes / objects);
  }
}
