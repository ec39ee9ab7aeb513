# Runs one of the project's commands with the settings of the service, as Administrator: run.ps1 doctor, run.ps1 import C:\centers.csv.
# It works in the folder of the data, so files are given with their whole path.
# Not run on Windows; docs/windows.md says what was tried.
[CmdletBinding(PositionalBinding = $false)]
param(
  [Parameter(Mandatory, Position = 0)][string]$Command,
  [string]$Program = 'C:\Program Files\TPWebServices',
  [string]$Data = 'C:\ProgramData\TPWebServices',
  [Parameter(ValueFromRemainingArguments)][string[]]$Arguments
)
$ErrorActionPreference = 'Stop'

# Loaded by its own declaration: Get-Content of Windows PowerShell 5.1 would not read it as UTF-8.
$definition = New-Object System.Xml.XmlDocument
$definition.Load("$Data\service\tpwebservices.xml")
$node = $definition.SelectSingleNode('/service/executable').InnerText
$before = @{}
Push-Location $Data
try {
  foreach ($setting in $definition.SelectNodes('/service/env')) {
    $name = $setting.GetAttribute('name')
    $before[$name] = [Environment]::GetEnvironmentVariable($name)
    # As WinSW does.
    $value = [Environment]::ExpandEnvironmentVariables($setting.GetAttribute('value'))
    [Environment]::SetEnvironmentVariable($name, $value)
  }
  # Windows PowerShell 5.1 takes the first line on standard error for an error of its own when the output goes to a file.
  $ErrorActionPreference = 'Continue'
  & $node "$Program\scripts\run.js" $Command @Arguments
} finally {
  # Environment variables belong to the whole window: a setting that is removed from the file must not remain there.
  foreach ($name in $before.Keys) { [Environment]::SetEnvironmentVariable($name, $before[$name]) }
  Pop-Location
}
exit $LASTEXITCODE
