package io.drayage.spark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Rules that the command line's tests cannot check: this module is not on its class path. */
@ArchTag("ci")
@AnalyzeClasses(packages = "io.drayage.spark", importOptions = DoNotIncludeTests.class)
class SparkArchitectureTest {
  @ArchTest
  static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      slices().matching("io.drayage.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule ONLY_INTERFACES_OF_DRAYAGE_ARE_USED =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.netty..",
              "org.apache.zookeeper..",
              "org.apache.curator..",
              "org.apache.arrow..",
              "software.amazon..",
              "io.drayage.cli..",
              "io.drayage.bench..",
              "io.drayage.duckdb..");
}
