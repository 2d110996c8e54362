package io.drayage.duckdb;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@ArchTag("ci")
@AnalyzeClasses(packages = "io.drayage.duckdb", importOptions = DoNotIncludeTests.class)
class OutputRuleTest {
  @ArchTest
  static final ArchRule STANDARD_OUTPUT_HAS_ONE_WAY_OUT =
      noClasses()
          .should()
          .accessField(System.class, "out")
          .because("what cannot be written must end the command: StandardOutput");
}
